import { describe } from 'vitest';
import { checkAllSuite } from '#test/support/check-all-suite.ts';

describe('the check of all schemas in SQLite', () => checkAllSuite(() => ({})));
