"""What the right answer is: number formats, exact arithmetic, kernels and readings."""
