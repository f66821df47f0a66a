package sandbox

import "context"

func probe(ctx context.Context) []Check { return nil }
func try(o *order) []Check              { return []Check{{Name: "nothing"}} }
