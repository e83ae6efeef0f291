Bx_zero_pointJ
ρθρθ