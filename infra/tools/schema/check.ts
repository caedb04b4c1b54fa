import pc from 'picocolors';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { checkSchema, type Report } from '#domain/integrity/repair.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { countsOf, reportLine } from './messages.ts';
import { createBars } from './progress-bars.ts';

const colours = { found: pc.yellow, mended: pc.green, left: pc.red } as const;

/**
 * Checks a schema, and mends it where that is asked for. Says what it found and did, a line each, and totals.
 * @returns the exit code: 0 where nothing is wrong any more, 1 where something is left
 */
export async function checkAndSay(store: SchemaStore, schema: string, mend: boolean): Promise<0 | 1> {
	const bars = createBars(process.stderr, Date.now);
	let found = 0;
	let mended = 0;
	const onReport = (report: Report): void => {
		found += 1;
		if (report.outcome === 'mended') mended += 1;
		bars.clear();
		say(colours[report.outcome](reportLine(report)));
	};
	const { onPart, onJudged } = bars;
	const stored = await checkSchema({ store, pause: jitteredPause }, schema, { mend, onReport, onPart, onJudged }).finally(
		bars.stop,
	);
	if (stored.head.revision === 0 && stored.variables.length + stored.boards.length === 0)
		say(pc.yellow(`Nothing is stored for schema ${schema}: is that its name?`));
	say(`Checked ${countsOf(stored)} of schema ${schema}.`);
	say(totals(found, mended, mend));
	return found === mended ? 0 : 1;
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

function totals(found: number, mended: number, mend: boolean): string {
	if (found === 0) return pc.green('Nothing found.');
	const left = found - mended;
	if (left === 0) return pc.green(`${found} found, ${mended} mended.`);
	return pc.red(mend ? `${found} found, ${mended} mended, ${left} left.` : `${found} found; --repair mends what can be mended.`);
}
