import { costByDashboards } from './by-dashboards.ts';
import { costBySchemas } from './by-schemas.ts';
import { needsOfColumns } from './needs.ts';

/** Prints the tables of infra/aws/DEPLOYING.md#cost: `npx node test/support/cost/print.ts`. */
for (const write of [costByDashboards, costBySchemas, needsOfColumns]) process.stdout.write(`${write()}\n\n`);
