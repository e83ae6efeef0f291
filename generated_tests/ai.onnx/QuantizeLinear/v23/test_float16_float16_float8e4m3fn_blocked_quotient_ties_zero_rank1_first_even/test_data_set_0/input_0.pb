
BxJLKf1g13$c&