import { language, theme } from '#page/core/preferences.ts';
import { languageChoices } from '#page/i18n/languages.ts';
import { Button } from '#page/parts/button.tsx';
import { shellText } from '#page/shell/texts.ts';

/** Language and theme, for people who are not signed in yet. */
export function ViewChoice() {
	const other = isDark() ? 'light' : 'dark';
	return (
		<div class="view-choice">
			{languageChoices.map(({ value, label }) => (
				<Button
					key={value}
					look="quiet"
					small
					lang={value}
					aria-pressed={language.value === value}
					onClick={() => {
						language.value = value;
					}}
				>
					{label}
				</Button>
			))}
			<Button
				look="quiet"
				small
				onClick={() => {
					theme.value = other;
				}}
			>
				{shellText().themes[other]}
			</Button>
		</div>
	);
}

function isDark(): boolean {
	if (theme.value === 'system') return matchMedia('(prefers-color-scheme: dark)').matches;
	return theme.value === 'dark';
}
