import { commonText } from '#page/i18n/common.ts';
import { Icon } from './icon.tsx';

/** Marks a row of a form, and says how many of its fields are wrong. Draws nothing for 0. */
export function WrongFields({ count }: { readonly count: number }) {
	return count === 0 ? null : <Icon name="q-bad" class="fault" label={commonText().fieldsWrong(count)} />;
}
