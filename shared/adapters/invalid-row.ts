/** The rows that this process has told of. */
const told = new Set<string>();

/** The parts of a key that hold an e-mail, escaped or not. */
const emails = /[^#]*(?:@|%40)[^#]*/g;

/** Most rows that are remembered. Beyond, they are told again. */
const maxTold = 10_000;

/**
 * Tells the operator of a stored row that cannot be read, once in a process, as a line of JSON on standard error: standard output may be an
 * export. It says where the row is stored, and never what it holds. An e-mail of a key is left out.
 * @param schema null: the row belongs to no schema
 * @param row such as `variable#7`
 */
export function tellInvalidRow(schema: string | null, row: string): void {
	const line = JSON.stringify({ level: 'ERROR', message: 'stored_row_invalid', schema, row: row.replaceAll(emails, '…') });
	if (told.has(line)) return;
	if (told.size >= maxTold) told.clear();
	told.add(line);
	process.stderr.write(`${line}\n`);
}

/**
 * Parses stored texts one by one. Those that cannot be read are left out, and the log names them.
 * @param keyOf returns where a text is stored, such as `machine#m-1`
 */
export function readable<Stored, Parsed>(
	schema: string | null,
	stored: readonly Stored[],
	parse: (each: Stored) => Parsed,
	keyOf: (each: Stored) => string,
): readonly Parsed[] {
	return stored.flatMap((each) => {
		try {
			return [parse(each)];
		} catch {
			tellInvalidRow(schema, keyOf(each));
			return [];
		}
	});
}
