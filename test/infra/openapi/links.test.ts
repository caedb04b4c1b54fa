import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, signIn, type Target } from '#test/e2e/target.ts';
import { apiDocument, operationOf, requestOf } from '#test/support/openapi/api-description.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

/** A link of the document. */
interface LinkObject {
	readonly operationId: string;
	readonly parameters?: { readonly id: string };
}

const linkNamed = (reference: string): LinkObject =>
	apiDocument.components.links[reference.split('/').at(-1) ?? ''] as LinkObject;

const routes = Object.entries(apiDocument.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** Every link of the document, with the operation that it starts from and the one that it leads to. */
const links = routes.flatMap(({ method, path, operation: { responses } }) =>
	Object.values((responses[200] as { readonly links?: Record<string, { readonly $ref: string }> } | undefined)?.links ?? {})
		.map(({ $ref }) => linkNamed($ref))
		.map((link) => ({
			link,
			method,
			path,
			target: routes.find(({ operation }) => operation.operationId === link.operationId),
		})),
);

/** Puts the id of an answer in place of the expression that stands for it. */
const resolved = (value: string, id: number): string => (value === '$response.body#/data/id' ? String(id) : value);

describe('the links of the document', () => {
	let target: Target;
	let token: string;
	beforeAll(async () => {
		target = await openLocalTarget({ DEMO_PLANT: 'on' });
		token = await signIn(target, 'a');
	});
	afterAll(() => target.close());

	test('lead from each saved variable and board', () => {
		expect(links.map(({ path, link: { operationId } }) => `${path} ${operationId}`)).toEqual([
			'/saveVariable readVariables',
			'/saveVariable listUsages',
			'/saveVariable deleteVariable',
			'/saveCorrection deleteCorrection',
			'/saveReport deleteReport',
			'/saveEntry deleteEntry',
			'/saveChart deleteChart',
			'/saveDiagram deleteDiagram',
			'/saveAlarm deleteAlarm',
		]);
	});

	test.each(links)(
		'$path leads to $link.operationId, which finds what was saved',
		async ({ link, method, path, target: next }) => {
			if (next === undefined) throw new Error(`No operation is named ${link.operationId}.`);
			const [example] = Object.values(requestOf(operationOf(method, path))?.examples ?? {});
			const saved = await call(target, method, path, { token, body: example?.value });
			expect(saved.status).toBe(200);
			const { id } = saved.body.data;
			const answer = await call(target, next.method, next.path.replace('{id}', resolved(link.parameters?.id ?? '', id)), {
				token,
			});
			expect(answer.status).toBe(200);
			if (link.operationId === 'readVariables')
				expect(answer.body.data).toContainEqual(expect.objectContaining({ id, name: saved.body.data.name }));
			else if (link.operationId === 'listUsages') expect(answer.body.data).toEqual([]);
			else expect(Object.values(answer.body.data)).toEqual([true]);
		},
	);
});
