import { describe, expect, test } from 'vitest';
import { apiEndpoints } from '#infra/openapi/api-endpoints.ts';
import { apiDocument, faultOf, operationOf, responseOf } from '#test/support/openapi/api-description.ts';

/** A part of a schema, as JSON. */
interface Part {
	readonly [keyword: string]: unknown;
	readonly type?: string | readonly string[];
}

const { schemas, parameters, links } = apiDocument.components;
const schemaOf = (name: string): Part => ({ ...schemas[name] });

/** The schema of a field of a component. */
const fieldOf = (name: string, field: string): Part => Object(schemaOf(name)['properties'])[field];

/** Every object below a part of the document, with its path. */
const partsOf = (value: unknown, path: string): readonly (readonly [string, Part])[] => {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.entries(value).flatMap(([name, each]) => partsOf(each, `${path}.${name}`));
	return Array.isArray(value) ? inner : [[path, { ...value }], ...inner];
};

const parts = [...partsOf(schemas, ''), ...Object.entries(parameters).flatMap(([name, part]) => partsOf(part, name))];

/** The schemas that allow a type, alone or with null. */
const partsOfType = (type: string) => parts.filter(([, part]) => [part.type].flat().includes(type));

const nameIn = (reference: unknown): string => String(reference).split('/').at(-1) ?? '';

const namesIn = (name: string) => [schemaOf(name)['anyOf']].flat().map((member) => Object(member).$ref?.split('/').at(-1));

describe('generators of clients read the document:', () => {
	test('no link has a body: one that is an object stops openapi-generator', () => {
		for (const link of Object.values(links)) expect(link).not.toHaveProperty('requestBody');
	});

	test('no field has the type null alone', () => {
		const alone = partsOfType('null').filter(([path, { type }]) => type === 'null' && !/\.anyOf\.\d+$/.test(path));
		expect(alone).toEqual([]);
		for (const field of ['name', 'unit', 'type']) expect(fieldOf('MissingReading', field).type).toEqual(['string', 'null']);
		for (const name of ['ShownPump', 'ShownState']) expect(fieldOf(name, 'unit').type).toEqual(['string', 'null']);
	});

	test('every number is a double, and every integer that can exceed 32 bits has 64', () => {
		expect(partsOfType('number').filter(([, { format }]) => format !== 'double')).toEqual([]);
		const exceeds = ({ maximum }: Part): boolean => maximum === undefined || Number(maximum) > 2 ** 31 - 1;
		const wrong = partsOfType('integer').filter(([, part]) => (part['format'] === 'int64') !== exceeds(part));
		expect(wrong).toEqual([]);
		const times = [fieldOf('History', 'bounds')['items'], fieldOf('HistoryRequest', 'start')['anyOf']];
		expect(times).toMatchObject([{ format: 'int64' }, [{ type: 'string' }, { format: 'int64' }]]);
		expect(parameters['Id']).toMatchObject({ schema: { format: 'int64' } });
	});

	test('no truth value is a constant', () => {
		expect(partsOfType('boolean').filter(([, part]) => 'const' in part)).toEqual([]);
	});

	test('a point of a history has items of any type, and two of them', () => {
		expect(schemaOf('HistoryPoint')).toMatchObject({ items: {}, minItems: 2, maxItems: 2 });
		const at = '2026-11-22T10:00:00.000Z';
		for (const point of [[at], [at, 1, 2], [at, '1']])
			expect(faultOf('answer', { $ref: '#/components/schemas/HistoryPoint' }, point)).not.toBeNull();
	});

	test('the resolution of a back-test is an integer', () => {
		expect(fieldOf('Backtest', 'resolutionSeconds')).toMatchObject({ type: 'integer' });
	});

	test('the variable with most fields comes first, because some clients take the first that fits', () => {
		const kinds = ['CalculatedVariable', 'BitCompressedVariable', 'SimpleVariable'];
		expect(namesIn('Variable')).toEqual(kinds);
		expect(namesIn('VariableInput')).toEqual(kinds.map((name) => `${name}Input`));
	});

	test('no choice is inside another choice', () => {
		expect(parts.filter(([path]) => /\.anyOf\.\d+\.anyOf/.test(path))).toEqual([]);
		expect(fieldOf('HistoryRequest', 'end')['anyOf']).toMatchObject([{ type: 'string' }, { type: 'integer' }, { type: 'null' }]);
	});

	test('no choice has a list or a map, and no answer is one: what generators make of them does not compile', () => {
		const members = parts.flatMap(([, { anyOf, oneOf }]) => [anyOf ?? oneOf ?? []].flat());
		expect(members).toContainEqual({ $ref: '#/components/schemas/LastReading' });
		expect(members.filter((member) => ['array', 'object'].includes(Object(member).type))).toEqual([]);
		expect(
			partsOf(apiDocument.paths, '').filter(([path, part]) => path.includes('responses') && ('anyOf' in part || 'oneOf' in part)),
		).toEqual([]);
	});

	test('a reading says by `kind` which it is', () => {
		const { oneOf, discriminator } = schemaOf('Reading');
		expect(Object(discriminator).propertyName).toBe('kind');
		const kinds = Object.entries(Object(discriminator).mapping);
		expect(kinds.map(([, $ref]) => ({ $ref }))).toEqual(oneOf);
		for (const [kind, reference] of kinds) {
			const { $ref } = fieldOf(nameIn(reference), 'kind');
			expect(schemaOf(nameIn($ref))).toMatchObject({ enum: [kind] });
		}
	});

	test('every value of an enumeration is an identifier, or has a name that is one', () => {
		const values = parts.flatMap(([, part]) => [part['x-enum-varnames'] ?? part['enum'] ?? []].flat());
		expect(values).toContain('greater_or_equal');
		expect(values.filter((value) => !/^[a-z][a-z_]*$|^[01]$|^$/i.test(String(value)))).toEqual([]);
	});
});

test.each(apiEndpoints)('$method $path names the gateway’s 400 only where the gateway answers it', ({ method, path }) => {
	const response = responseOf(operationOf(method, path), 400);
	if (response === undefined) return;
	const form = path.includes('{')
		? 'FieldOrGatewayErrors'
		: ['/token', '/backchannelLogout'].includes(path)
			? 'OAuthError'
			: 'FieldErrors';
	expect(response.content?.['application/json'].schema).toEqual({ $ref: `#/components/schemas/${form}` });
});
