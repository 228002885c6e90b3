// <model-viewer> contains the decoder of meshopt, and uses it once it has loaded a script from the place it was given.
