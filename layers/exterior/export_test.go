package exterior

// These are the functions of the same name.
var (
	Wedge = wedge
	Blade = blade
	JVP   = jvp
)
