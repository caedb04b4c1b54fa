import { parseBacktestRange } from '#domain/alarm/backtest-range.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { previewAlarm } from '#domain/use-cases/preview-alarm.ts';
import { saveAlarm } from '#domain/use-cases/save-alarm.ts';
import { ok } from '#http/api-response.ts';
import { boardSaver } from '#http/board-handlers.ts';
import { callerOf } from '#http/caller.ts';
import type { SaveAlarmHandlerDeps } from '#http/handler-deps.ts';
import { boardToJson } from '#http/serialize.ts';
import { backtestToJson } from '#http/serialize-alarm.ts';

/**
 * POST /saveAlarm: creates (id 0) or updates an alarm. With ?dryRun=1 it validates the alarm and stores nothing. With &start=&end= too, it
 * back-tests the alarm: it returns what the alarm would have done in that time, by the days of &timeZone=.
 */
export const createHandler = boardSaver<SaveAlarmHandlerDeps & { readonly timeSeries: TimeSeries }>('alarm', {
	save: saveAlarm,
	dryRun: async (deps, event, alarm, match) => {
		const { schema, database } = callerOf(event);
		const backtestRequest = parseBacktestRange(event.queryStringParameters ?? {}, deps.now());
		const { row, backtest } = await previewAlarm(deps, schema, database, alarm, backtestRequest, match);
		return ok({ data: { alarm: boardToJson(row), ...(backtest === null ? {} : { backtest: backtestToJson(backtest) }) } });
	},
});
