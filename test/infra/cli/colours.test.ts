import { globSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { coloursFor } from '#infra/cli/colours.ts';

test('what does not go to a terminal has no escape sequences, whatever the environment says', () => {
	const pipe = Object.assign(Object.create(WriteStream.prototype), new PassThrough(), { isTTY: false });
	expect(coloursFor(pipe).red('text')).toBe('text');
});

test('every program takes its colours from there', () => {
	const files = globSync('{infra,functions,shared}/**/*.ts');
	expect(files.length).toBeGreaterThan(500);
	const importing = files.filter((file) => readFileSync(file, 'utf8').includes("from 'picocolors'"));
	expect(importing).toEqual(['infra/cli/colours.ts']);
});

test('every program prints through infra/cli/print.ts, which escapes the control characters of names', () => {
	const files = globSync('{infra,functions,shared}/**/*.ts', { exclude: ['functions/console/page/**'] });
	const writing = files.filter((file) => /console\.\w+\(|process\.std(out|err)\.write\(/.test(readFileSync(file, 'utf8')));
	expect(writing.sort()).toEqual([
		// A log of JSON, which escapes control characters.
		'infra/local/json-log.ts',
		// The text of a program that measures how long a bundle is loaded.
		'infra/tools/bundles.ts',
		// The file itself, where standard output is no terminal.
		'infra/tools/schema/export.ts',
		// Lines of JSON about rows that cannot be read.
		'shared/adapters/invalid-row.ts',
		// The log of a Lambda function.
		'shared/wiring/telemetry.ts',
	]);
});
