import { languageChoices } from '#page/core/languages.ts';
import { language, letterKeys, numberStyle, theme } from '#page/core/preferences.ts';
import { hrefOf, toggleWall } from '#page/core/route.ts';
import { hasSeveralPlants, personName, session } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { PlantSwitch } from '#page/openid/plant-switch.tsx';
import { signOutEverywhere } from '#page/openid/sign-out.ts';
import { Button } from '#page/parts/button.tsx';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { AttentionFields } from './attention-fields.tsx';
import { Polling } from './polling.tsx';
import { preferenceText } from './preference-texts.ts';
import { shownScreens, tabs } from './shown-screens.ts';
import { shellText } from './texts.ts';
import { ZoneField } from './zone-field.tsx';

// The rail shows it, too.
export { PlantSwitch };

/**
 * The content of the dialog of preferences: language, numbers, theme, time zone, keys, help, and signing out. On narrow screens it also contains the entries of
 * the rail for which there is no tab.
 */
export function Preferences({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }) {
	const text = shellText();
	const words = preferenceText();
	return (
		<>
			<nav class="only-narrow chips" aria-label={text.more}>
				{shownScreens()
					.filter((screen) => !tabs.some((tab) => tab === screen))
					.map((screen) => (
						<a key={screen} class="btn" href={hrefOf(screen)} onClick={onClose}>
							{text.screens[screen]}
						</a>
					))}
			</nav>
			<div class="only-narrow">
				{hasSeveralPlants.value && <PlantSwitch />}
				<Polling />
			</div>
			<div class="form">
				<dl class="facts">
					<Fact term={words.signedInAs}>{personName.value}</Fact>
					<Fact term={commonText().schema}>{session.value?.schema}</Fact>
					<Fact term={commonText().database}>{session.value?.database}</Fact>
				</dl>
				<SegmentedField
					label={words.language}
					choices={languageChoices}
					value={language.value}
					onChoose={(value) => {
						language.value = value;
					}}
				/>
				<SegmentedField
					label={words.numbers}
					choices={(['region', '.', ','] as const).map((value) => ({ value, label: words.numberStyles[value] }))}
					value={numberStyle.value}
					onChoose={(value) => {
						numberStyle.value = value;
					}}
				/>
				<SegmentedField
					label={words.theme}
					choices={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: text.themes[value] }))}
					value={theme.value}
					onChoose={(value) => {
						theme.value = value;
					}}
				/>
				<ZoneField />
				<Checkbox
					label={words.letterKeys}
					checked={letterKeys.value}
					onToggle={(checked) => {
						letterKeys.value = checked;
					}}
				/>
				<AttentionFields />
			</div>
			<div class="dialog-foot">
				<Button
					onClick={() => {
						onClose();
						toggleWall();
					}}
				>
					{words.wall}
				</Button>
				<Button onClick={onHelp}>{text.help}</Button>
				<Button onClick={() => void signOutEverywhere()}>{words.signOut}</Button>
			</div>
		</>
	);
}
