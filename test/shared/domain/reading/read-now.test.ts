import { describe, expect, test } from 'vitest';
import type { Token } from '#domain/equation/token.ts';
import { createCompiler } from '#domain/reading/read-now.ts';
import { tokensOf } from '#test/support/builders/equations.ts';

describe('createCompiler', () => {
	test('compiles equal tokens once', () => {
		const compile = createCompiler();
		expect(compile(tokensOf('a + b'))).toBe(compile(tokensOf('a + b')));
	});

	test('compiles tokens separately that differ in type or in how the text is split', () => {
		const compile = createCompiler();
		const equations: readonly (readonly Token[])[] = [
			[{ value: '5', type: 'number' }],
			[{ value: '5', type: 'variable' }],
			[{ value: 'number","5', type: 'variable' }],
			[
				{ value: '-', type: 'operator' },
				{ value: '5', type: 'number' },
			],
			[{ value: '-5', type: 'number' }],
		];
		expect(new Set(equations.map(compile)).size).toBe(equations.length);
	});

	test('keeps 2000 equations and drops the least recently used one', () => {
		const compile = createCompiler();
		const compiledOf = (index: number) => compile(tokensOf(`a + ${index}`));
		const compiled = Array.from({ length: 2000 }, (_, index) => compiledOf(index));
		expect(compiledOf(0)).toBe(compiled[0]);
		compiledOf(2000);
		expect(compiledOf(0)).toBe(compiled[0]);
		expect(compiledOf(1)).not.toBe(compiled[1]);
	});
});
