package exterior

// JVP is the function of the same name.
var JVP = jvp
