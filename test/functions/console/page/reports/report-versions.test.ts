import { expect, test, vi } from 'vitest';
import { tokensOf } from '#test/support/builders/equations.ts';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { versions } = await import('#page/reports/report-versions.ts');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

const line = { key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: 13, per: 'h', range: [0, 500] };
const content = { id: 46, title: 'Daily', timeZone: 'Europe/Madrid', dayStart: '00:00', send: false, lines: [line] };
const version = (fields: object, number = 1) => ({ version: number, content: { ...content, ...fields } });

test('versions of a report are compared field by field, and line by line by their keys', () => {
	const ratio = { key: 'ratio', name: 'Ratio', unit: '', function: 'formula', equation: tokensOf('volume / 2') };
	const changed = version({ title: 'Sheet', send: true, lines: [{ ...line, unit: 'L', between: ['02:00', '04:00'] }, ratio] }, 2);
	const compared = versions.compare(version({}), changed);
	expect(compared?.differences.map(({ key, label, before, after }) => [key, label, before, after])).toEqual([
		['title', 'Title', 'Daily', 'Sheet'],
		['send', 'First numbers of each day', '', 'sent to those who are told of alarms'],
		[
			'lines volume',
			'Volume',
			'Volume: Sum over time · variable 13 · h · 0 – 500 · m³',
			'Volume: Sum over time · variable 13 · h · 0 – 500 · 02:00 – 04:00 · L',
		],
		['lines ratio', 'Ratio', '', 'Ratio: Formula · {volume} / 2'],
	]);
	expect(compared?.same.map(({ label }) => label)).toEqual(['Time zone', 'A day begins at', 'Order of the lines']);
});

test('versions that differ in a name, in a counter or in the order alone differ', () => {
	const meter = { key: 'meter', name: 'Meter', unit: 'm³', function: 'increase', varId: 4, counter: { size: 10_000, dip: 2 } };
	const differences = (lines: object[], newLines: object[]) =>
		versions
			.compare(version({ lines }), version({ lines: newLines }, 2))
			?.differences.map(({ label, before, after }) => [label, before, after]);
	expect(differences([line], [{ ...line, name: 'Pumped' }])).toEqual([
		['Volume', expect.stringMatching(/^Volume: /), expect.stringMatching(/^Pumped: /)],
	]);
	expect(differences([meter], [{ ...meter, counter: { size: 10_000 } }])).toEqual([
		['Meter', expect.stringContaining('begins again at 10000, noise 2'), expect.not.stringContaining('noise 2')],
	]);
	expect(differences([line, meter], [meter, line])).toEqual([['Order of the lines', 'volume, meter', 'meter, volume']]);
});

test('what is no report is not compared', () => {
	expect(versions.compare(version({}), { version: 2, content: { id: 1, title: 'Chart', series: [] } })).toBeNull();
	expect(versions.compare(null, version({}))?.differences).toHaveLength(5);
});
