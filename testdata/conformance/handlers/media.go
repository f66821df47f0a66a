package handlers

import _ "embed"

// The smallest media there are: a red pixel, and a millisecond of silence.
var (
	//go:embed media/pixel.png
	pixel []byte
	//go:embed media/silence.wav
	silence []byte
)
