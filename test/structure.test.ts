import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const sources = ['functions', 'infra', 'shared'].flatMap((room) =>
	readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.tsx?$/.test(name))
		.map((name) => join(room, name)),
);
/** The files of the console's page. */
const page = /^functions\/console\/page\//;
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** The project file that a specifier names; undefined for a package. */
const resolved = (from: string, specifier: string): string | undefined => {
	if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
	const alias = Object.entries(manifest.imports).find(([pattern]) => specifier.startsWith(pattern.slice(0, -1)));
	if (alias === undefined) return undefined;
	const [pattern, target] = alias;
	return normalize(target.replace('*', specifier.slice(pattern.length - 1)));
};

const importsOf = (file: string): readonly string[] =>
	[...(textOf.get(file) ?? '').replace(/^\s*\*.*$/gm, '').matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].flatMap(
		([, specifier = '']) => resolved(file, specifier) ?? [],
	);

/** A circle of imports that starts at `file`, if there is one. */
const circleFrom = (file: string, done: Set<string>, path: readonly string[] = []): readonly string[] | undefined => {
	if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
	if (done.has(file)) return undefined;
	for (const next of importsOf(file)) {
		const circle = circleFrom(next, done, [...path, file]);
		if (circle !== undefined) return circle;
	}
	done.add(file);
	return undefined;
};

describe('imports', () => {
	test('name files that exist, without a circle', () => {
		const done = new Set<string>();
		for (const file of sources) {
			for (const target of importsOf(file)) expect(existsSync(join(root, target)), `${file} imports ${target}`).toBe(true);
			expect(circleFrom(file, done), file).toBeUndefined();
		}
		expect(sources.filter((file) => !done.has(file))).toEqual([]);
	});

	test('imports of shared/ never leave shared/, and those of the model never reach the ports', () => {
		const model = /^shared\/domain\/(validation|variable|equation|board|panel|alarm-rows)\//;
		for (const file of sources)
			for (const target of importsOf(file)) {
				if (file.startsWith('shared/')) expect(target, file).toMatch(/^shared\//);
				if (model.test(file)) expect(target, file).not.toMatch(/^shared\/domain\/(ports|use-cases|reading|transaction|alarm)\//);
			}
	});

	test('of the console’s page name the page, the domain and the types of the API, and nothing else names the page', () => {
		const types = 'infra/openapi/api.ts';
		expect(sources.filter((file) => page.test(file)).length).toBeGreaterThan(1);
		for (const file of sources)
			for (const target of importsOf(file)) {
				if (!page.test(file)) expect(target, file).not.toMatch(page);
				else if (target !== types) expect(target, file).toMatch(/^(functions\/console\/page|shared\/domain)\//);
				else expect(textOf.get(file)?.match(/^(?:import|export) (?!type )[^;]*#infra\/openapi\/api\.ts/gm), file).toBeNull();
			}
	});

	test('of the engines of the series are those of their door, of their own folders and of what writes to them', () => {
		const engines = /^shared\/adapters\/influx(ql|-common)?\//;
		const outside = sources.filter((file) => !engines.test(file));
		const callers = outside.filter((file) => importsOf(file).some((target) => engines.test(target)));
		expect(callers.toSorted()).toEqual(['infra/local/adapters/influx-writer.ts', 'shared/wiring/engine.ts']);
	});

	test('of the core of the console’s page name nothing that is drawn, and no words', () => {
		const core = sources.filter((file) => file.startsWith('functions/console/page/core/'));
		expect(core.length).toBeGreaterThan(10);
		for (const file of core)
			for (const target of importsOf(file))
				expect(target, file).toMatch(/^(functions\/console\/page\/core|shared\/domain|infra\/openapi)\//);
	});

	test('of a use case are those of an endpoint, of a task, or of what serves all kinds of boards', () => {
		const isHandler = /^functions\/\w+\/(handler|index)\.ts$|^shared\/http\/board-handlers\.ts$/;
		const served = new Set(sources.filter((file) => isHandler.test(file)).flatMap(importsOf));
		const useCases = sources.filter((file) => file.startsWith('shared/domain/use-cases/'));
		expect(useCases.length).toBeGreaterThan(20);
		expect(useCases.filter((file) => !served.has(file))).toEqual([]);
	});

	test('of a step of reports take types and constants of the steps before it, and no function', () => {
		const steps = ['load-report', 'compare-days', 'count-days', 'assemble-report', 'assemble-day'];
		const constants = ['dayCauses'];
		for (const [index, step] of steps.entries())
			for (const [, names = '', target = ''] of (textOf.get(`shared/domain/report/${step}.ts`) ?? expect.unreachable()).matchAll(
				/^import \{([^}]+)\} from '\.\/([\w-]+)\.ts'/gm,
			)) {
				if (!steps.includes(target)) continue;
				expect(steps.indexOf(target), `${step} imports ${target}`).toBeLessThan(index);
				const values = names.split(',').map((name) => name.trim());
				expect(values.filter((name) => name !== '' && !name.startsWith('type ') && !constants.includes(name))).toEqual([]);
			}
	});

	test('of a screen name no other screen', () => {
		const screenOf = (file: string) => /^functions\/console\/page\/screens\/([^/]+)\//.exec(file)?.[1];
		expect(new Set(sources.map(screenOf)).size).toBeGreaterThan(2);
		for (const file of sources)
			if (screenOf(file) !== undefined)
				for (const target of importsOf(file))
					expect([undefined, screenOf(file)], `${file} imports ${target}`).toContain(screenOf(target));
	});

	test('go up one folder at most', () => {
		for (const [file, text] of textOf) expect(text, file).not.toMatch(/from '\.\.\/\.\.\//);
	});
});

describe('types', () => {
	// The console's page is a program of its own: it names what the API answers as the domain names what it stores.
	test.each([
		['the service', (file: string) => !page.test(file)],
		['the page', (file: string) => page.test(file)],
	])('have names that are used once in %s', (_, isOf) => {
		const places = new Map<string, string[]>();
		for (const [file, text] of textOf)
			if (isOf(file))
				for (const [, name = ''] of text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
					places.set(name, [...(places.get(name) ?? []), file]);
		expect(places.size).toBeGreaterThan(0);
		expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
	});
});

describe('the code', () => {
	test('uses no type assertion except `as const`', () => {
		const assertion = /[\w)\]}] as (?!const\b)[A-Za-z{[(]/;
		for (const [file, text] of textOf)
			for (const line of text.split('\n')) {
				const code = line.replace(/\/\/.*|^\s*\/?\*.*|'[^']*'|"[^"]*"|`[^`]*`/g, '');
				if (!/^\s*(import|export) |^\s*(type )?\w+ as \w+,$|\} from|\* as /.test(code)) expect(code, file).not.toMatch(assertion);
			}
	});
});
