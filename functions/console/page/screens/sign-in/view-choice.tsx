import { type Language, language, languages, theme } from '#page/core/preferences.ts';
import { Button } from '#page/parts/button.tsx';
import { signInText } from './texts.ts';

/** Language and theme, for people who are not signed in yet. */
export function ViewChoice() {
	const text = signInText();
	const other = isDark() ? 'light' : 'dark';
	return (
		<div class="view-choice">
			{(['en', 'es'] satisfies Language[]).map((each) => (
				<Button
					key={each}
					look="quiet"
					small
					lang={each}
					aria-pressed={language.value === each}
					onClick={() => {
						language.value = each;
					}}
				>
					{languages[each]}
				</Button>
			))}
			<Button
				look="quiet"
				small
				onClick={() => {
					theme.value = other;
				}}
			>
				{text[other]}
			</Button>
		</div>
	);
}

function isDark(): boolean {
	if (theme.value === 'system') return matchMedia('(prefers-color-scheme: dark)').matches;
	return theme.value === 'dark';
}
