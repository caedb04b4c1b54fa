import type { FieldError } from '#page/core/api.ts';
import { fieldErrorText } from '../wording.ts';
import { describeText } from './describe-texts.ts';
import { lengthFault } from './grid-row.ts';

/**
 * Returns the words for a problem of a cell; undefined without one. Only the page finds that a typed length cannot be read: the service has
 * no such code, and the sentences about errors have no words for it.
 */
export function faultText(fault: FieldError | undefined): string | undefined {
	return fault?.code === lengthFault.code ? describeText().lengthFault : fieldErrorText(fault);
}
