import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../../../functions/console/page');

describe('the symbols of the console', () => {
	const sprite = readFileSync(join(folder, 'sprite.svg'), 'utf8');
	const ids = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id = '']) => id);

	test('are those that the type IconName names', () => {
		const [, type = ''] = /export type IconName =([^;]+);/.exec(readFileSync(join(folder, 'parts/icon.tsx'), 'utf8')) ?? [];
		expect(ids.toSorted()).toEqual(typeMembers(type).toSorted());
	});

	test('have no style of their own, which the Content-Security-Policy would refuse', () => {
		expect(sprite).not.toMatch(/style=|<style|<script|href=/);
	});
});

/** The strings of a union of literals and template literals. */
const typeMembers = (type: string): readonly string[] => {
	const templates = [...type.matchAll(/`([^`]+)`/g)].flatMap(([, template = '']) => expand(template));
	const literals = [...type.replace(/`[^`]+`/g, '').matchAll(/'([^']+)'/g)].map(([, literal = '']) => literal);
	return [...templates, ...literals];
};

/** The strings of a template whose placeholders are unions. */
const expand = (template: string): readonly string[] => {
	const [placeholder, union = ''] = /\$\{([^}]+)\}/.exec(template) ?? [];
	if (placeholder === undefined) return [template];
	return union.split('|').flatMap((member) => expand(template.replace(placeholder, member.trim().replaceAll("'", ''))));
};
