import * as v from 'valibot';
import { alarmSchema } from '#domain/board/alarm.ts';
import { nonEmpty } from '#shared/config.ts';

const { severity } = alarmSchema.entries;

/**
 * What the function is called with. `{}`, by the clock: start workers for all schemas. `schemas`: evaluate these. `test`: send a test
 * message in the name of a schema.
 */
export const evaluationEventSchema = v.object({
	schemas: v.optional(v.array(nonEmpty)),
	test: v.optional(v.object({ schema: nonEmpty, severity: v.optional(severity, 'critical') })),
});
