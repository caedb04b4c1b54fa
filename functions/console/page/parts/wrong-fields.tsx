import { commonText } from '#page/i18n/common.ts';
import { Icon } from './icon.tsx';

/** The mark of a row of a form some of whose fields are wrong; nothing where none is. */
export function WrongFields({ count }: { readonly count: number }) {
	return count === 0 ? null : <Icon name="q-bad" class="fault" label={commonText().fieldsWrong(count)} />;
}
