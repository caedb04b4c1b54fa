import { describe } from 'vitest';
import { importSuite } from '#test/support/plant/import-suite.ts';

describe('an export and its import on SQLite', () => {
	importSuite(() => ({}), 40);
});
