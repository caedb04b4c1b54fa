import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { bundleConsole } from '#infra/console/console-files.ts';

/**
 * Budgets in bytes after gzip (test/bench/README.md#budgets). The first load has 400 bytes for sessions of OpenID providers, whose sign-in comes
 * later, 200 for the reasons of formula functions and of sources that tags tell apart, and 20 for the hashes in the names of files, which every
 * change of any screen compresses to other sizes. The editor of reports checks the rules of every function of a line.
 */
const budgets = {
	first: 60_620,
	later: 30_000,
	reportEditor: 31_500,
	diagram: 45_000,
	help: 8_000,
	openid: 5_120,
} as const;

/** What is loaded only after another screen. */
const loadedBefore: ReadonlyMap<string, string> = new Map([
	['edited-diagram', 'diagram'],
	['describe-steps', 'add-screen'],
	['bits-dialog', 'add-screen'],
	['create', 'add-screen'],
	['report-editor', 'report-editor-screen'],
	['line-form', 'report-editor'],
]);

let page: Awaited<ReturnType<typeof bundleConsole>>;
beforeAll(async () => {
	page = await bundleConsole({ demo: null });
});

const sizeOf = (names: readonly string[]) => {
	const sizes = names.map((name) => [name, gzipSync(page.files.get(name) ?? '', { level: 9 }).length] as const);
	return { bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0), sizes: JSON.stringify(Object.fromEntries(sizes)) };
};

test('the first load of the console, with its first screens, has at most 60.6 KB', () => {
	const { first } = page.loads;
	for (const kind of [/^index\.html$/, /^main-.*\.js$/, /^style-.*\.css$/])
		expect(
			first.filter((name) => kind.test(name)),
			String(kind),
		).toHaveLength(1);
	const { bytes, sizes } = sizeOf(first);
	expect(bytes, sizes).toBeLessThanOrEqual(budgets.first);
});

test('every further screen, and what it loads on demand, has at most 30 KB more', () => {
	const { later } = page.loads;
	expect([...later.keys()]).toEqual(
		expect.arrayContaining([
			'access',
			'add-screen',
			'describe-steps',
			'alarm-editor',
			'alarms',
			'changes',
			'diagram',
			'later',
			'report',
			'report-editor-screen',
			'line-form',
			'openid',
			'station',
			'trend',
			'variable-list',
			'variable-screen',
		]),
	);
	for (const [name, names] of later) {
		const before = later.get(loadedBefore.get(name) ?? '') ?? [];
		const { bytes, sizes } = sizeOf(names.filter((file) => !before.includes(file)));
		expect(bytes, `${name}: ${sizes}`).toBeLessThanOrEqual(
			name === 'report-editor-screen' ? budgets.reportEditor : budgets.later,
		);
	}
});

test('viewing and editing a diagram have at most 45 KB together', () => {
	const { later } = page.loads;
	const names = new Set([...(later.get('diagram') ?? []), ...(later.get('edited-diagram') ?? [])]);
	const { bytes, sizes } = sizeOf([...names]);
	expect(names.size).toBeGreaterThan(2);
	expect(bytes, sizes).toBeLessThanOrEqual(budgets.diagram);
});

test('the help lists the keys of the drawing without loading what edits it', () => {
	const { bytes, sizes } = sizeOf(page.loads.later.get('help') ?? []);
	expect(bytes).toBeGreaterThan(2000);
	expect(bytes, sizes).toBeLessThanOrEqual(budgets.help);
});

test('signing in with a provider has at most 5 KB more, for whoever does it', () => {
	const { bytes, sizes } = sizeOf(page.loads.later.get('openid') ?? []);
	expect(bytes).toBeGreaterThan(2000);
	expect(bytes, sizes).toBeLessThanOrEqual(budgets.openid);
});

test('every file is of the first load, of a later one, or the licences', () => {
	const loaded = new Set([...page.loads.first, ...[...page.loads.later.values()].flat(), 'licences.txt']);
	expect([...page.files.keys()].filter((name) => !loaded.has(name))).toEqual([]);
});
