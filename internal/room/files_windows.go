package room

// Fits is how many of something this process can have open, which the system does not limit.
func Fits(wanted int) int { return wanted }
