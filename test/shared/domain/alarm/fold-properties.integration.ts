import { foldSuite } from '#test/support/alarms/fold-suite.ts';
import { casesOf } from '#test/support/cases.ts';

foldSuite(casesOf(5000));
