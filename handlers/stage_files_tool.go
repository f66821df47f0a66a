package handlers

import (
	"context"

	"github.com/teaagent/teaagent/generated"
	"github.com/teaagent/teaagent/mcp"
)

// StageFiles: Add the changes of files to the git index, or take them out of it.
func (h *Handlers) StageFiles(ctx context.Context, args generated.StageFilesArgs) (generated.StageFilesResult, error) {
	return generated.StageFilesResult{}, mcp.Errorf("NOT_IMPLEMENTED", "teaagent_stageFiles has no body yet: write it in handlers/stage_files_tool.go")
}
