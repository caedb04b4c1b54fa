import { reportCrashSuite } from '#test/support/reports/crash-suite.ts';

reportCrashSuite('SQLite', 1000);
