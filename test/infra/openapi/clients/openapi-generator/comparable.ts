/**
 * Writes times as the service does: Go and Java leave out milliseconds of 0, Python writes +00:00. Leaves out fields that are null: in Python, a
 * field that is absent is None as well.
 */
export const comparable = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value), function (this: unknown, _, item) {
		if (item === null && !Array.isArray(this)) return undefined;
		return typeof item === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(item) ? new Date(item).toISOString() : item;
	});
