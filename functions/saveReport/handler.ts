import { parseReport } from '#domain/board/report.ts';
import type { ReportDeps } from '#domain/report/load-report.ts';
import { saveReport, tryReport } from '#domain/use-cases/save-report.ts';
import { ok } from '#http/api-response.ts';
import { boardSaver } from '#http/board-handlers.ts';
import { callerOf } from '#http/caller.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { boardToJson } from '#http/serialize.ts';
import { referenceField } from '#http/serialize-report.ts';
import { lineToJson } from '#http/serialize-totals.ts';

/** POST /saveReport: creates (id 0) or updates a report. With ?dryRun=1 it stores nothing, and returns the numbers of yesterday. */
export const createHandler = boardSaver<WriteHandlerDeps & ReportDeps>('report', {
	parse: parseReport,
	save: saveReport,
	dryRun: async (deps, event, board, match) => {
		const { row, bounds, lines, references } = await tryReport(deps, callerOf(event), board, match);
		const { content } = row.board;
		const heads = new Map('lines' in content ? content.lines.map((line) => [line.key, line]) : []);
		const tried = lines.map((line) => ({
			...lineToJson(line),
			...referenceField(references.get(line.key), heads.get(line.key)),
		}));
		return ok({ data: { report: boardToJson(row), bounds, lines: tried } });
	},
});
