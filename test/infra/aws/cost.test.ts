import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costByDashboards } from '#test/support/cost/by-dashboards.ts';
import { costBySchemas } from '#test/support/cost/by-schemas.ts';
import { dashboardsOfOneSchema, needsOfColumns } from '#test/support/cost/needs.ts';

const guide = readFileSync('infra/aws/DEPLOYING.md', 'utf8');

// `npx node test/support/cost/print.ts` prints the tables.
test.each([
	['cost by dashboards', costByDashboards],
	['cost by schemas', costBySchemas],
	['settings that each column needs', needsOfColumns],
])('the table of the %s in the guide is what the counts give', (_, write) => {
	expect(guide).toContain(write());
});

test('the guide says how many dashboards one schema has at most', () => {
	expect(guide).toContain(`${dashboardsOfOneSchema().toLocaleString('en')} dashboards of one schema`);
});
