import { beforeEach, describe, expect, test, vi } from 'vitest';

/** The addresses of the requests, and the answer to each path with its query. */
let asked: string[] = [];
let answers: Readonly<Record<string, unknown>> = {};

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
vi.stubGlobal('fetch', async ({ url }: Request) => {
	const address = url.slice('http://console.test'.length);
	asked.push(address);
	return Response.json(answers[address] ?? { data: [] });
});
const { diagrams } = await import('#page/core/definitions.ts');
const { diagramRequests } = await import('#page/screens/diagram/diagram-requests.ts');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

describe('the diagrams', () => {
	beforeEach(() => {
		[asked, answers] = [[], {}];
	});
	const diagram = (id: number) => ({ id, title: `Diagram ${id}`, items: [], version: 1 });

	test('are read page by page, and listed by ascending id', async () => {
		const pages = ['/getDiagrams?limit=1000&after=0', '/getDiagrams?limit=1000&after=10'];
		answers = {
			[pages[0] ?? '']: { data: [diagram(1), diagram(10)], next: 10 },
			[pages[1] ?? '']: { data: [diagram(9)], next: null },
		};
		await diagrams.load();
		expect(asked).toEqual(pages);
		expect(diagrams.rows.value?.map(({ id }) => id)).toEqual([1, 9, 10]);
	});

	test('are asked for by id where one of them is read again', async () => {
		answers = { '/getDiagrams?ids=9': { data: [diagram(9)] } };
		const read = await diagramRequests.read({ id: 9, title: '', ratio: null, symbols: [], pipes: [], background: null });
		expect(asked).toEqual(['/getDiagrams?ids=9']);
		expect(read).toMatchObject({ ok: true, data: { version: 1, content: { id: 9, title: 'Diagram 9' } } });
	});
});
