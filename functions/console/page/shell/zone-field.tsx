import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { browserZone, chosenZone } from '#page/core/time-zone.ts';
import { commonText } from '#page/i18n/common.ts';
import { Field } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { shellText } from './texts.ts';

/** The choice of the time zone in which everything is shown. An empty field is the browser's own. */
export function ZoneField() {
	const text = shellText();
	const typed = useSignal(chosenZone.value);
	const list = useId();
	const isKnown = typed.value.trim() === '' || openTimeZone(typed.value.trim()) !== null;
	return (
		<Field label={commonText().timeZone} hint={text.zoneHint(browserZone())} error={isKnown ? null : text.zoneUnknown}>
			{(ties) => (
				<>
					<TextInput
						{...ties}
						value={typed.value}
						list={list}
						placeholder={browserZone()}
						spellcheck={false}
						onText={(name) => {
							typed.value = name;
							const zone = name.trim() === '' ? '' : openTimeZone(name.trim())?.name;
							if (zone !== undefined) chosenZone.value = zone;
						}}
					/>
					<datalist id={list}>
						{['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
							<option key={name} value={name} />
						))}
					</datalist>
				</>
			)}
		</Field>
	);
}
