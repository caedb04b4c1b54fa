import { useSignal } from '@preact/signals';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { browserZone, chosenZone } from '#page/core/time-zone.ts';
import { commonText } from '#page/i18n/common.ts';
import { Field } from '#page/parts/field.tsx';
import { ZoneInput } from '#page/parts/zone-input.tsx';
import { preferenceText } from './preference-texts.ts';

/** The choice of the time zone in which everything is shown. An empty field is the browser's own. */
export function ZoneField() {
	const words = preferenceText();
	const typed = useSignal(chosenZone.value);
	const isKnown = typed.value.trim() === '' || openTimeZone(typed.value.trim()) !== null;
	return (
		<Field label={commonText().timeZone} hint={words.zoneHint(browserZone())} error={isKnown ? null : words.zoneUnknown}>
			{(ties) => (
				<ZoneInput
					ties={ties}
					value={typed.value}
					placeholder={browserZone()}
					onText={(name) => {
						typed.value = name;
						const zone = name.trim() === '' ? '' : openTimeZone(name.trim())?.name;
						if (zone !== undefined) chosenZone.value = zone;
					}}
				/>
			)}
		</Field>
	);
}
