import { messages } from '#page/i18n/i18n.ts';
import { Icon } from '#page/parts/icon.tsx';
import { ridgeBox, ridgePaths } from './ridge-paths.ts';

/** The texts beside the form. */
export const artText = messages({
	en: {
		promise: ['What the plant shows now,', 'and how far each number can be trusted.'],
	},
	es: {
		promise: ['Lo que muestra la planta ahora,', 'y hasta dónde fiarse de cada número.'],
	},
});

/** A few sentences about the console, over curves of one day of the demo plant. */
export function SignInArt() {
	return (
		<>
			<svg viewBox={`0 0 ${ridgeBox.width} ${ridgeBox.height}`} preserveAspectRatio="none" aria-hidden="true">
				{ridgePaths().map((path) => (
					<path key={path} d={path} />
				))}
			</svg>
			<div class="sign-in-words">
				<p class="sign-in-name">
					<Icon name="brand" />
					Caudal
				</p>
				{artText().promise.map((line) => (
					<p key={line}>{line}</p>
				))}
			</div>
		</>
	);
}
