import { openReportDeps } from '#wiring/report-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { timeForSeriesMs } from '#wiring/series.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

// A dry run counts the numbers of yesterday, and the nights of references. The tables leave InfluxDB the time for that.
const deps = { ...openReportDeps(), ...openWriteDeps(timeForSeriesMs()) };

export const handler = withLambdaDeadline(createHandler(deps));
