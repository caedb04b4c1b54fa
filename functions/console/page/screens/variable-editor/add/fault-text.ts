import type { FieldError } from '#page/core/api.ts';
import { fieldErrorText } from '../wording.ts';
import { describeText } from './describe-texts.ts';

/** Returns the words for a problem; undefined without one. */
export function faultText(fault: FieldError | undefined): string | undefined {
	return fault?.code === 'length_unreadable' ? describeText().lengthFault : fieldErrorText(fault);
}
