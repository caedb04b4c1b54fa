import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { classNames } from '#page/parts/class-names.ts';
import { backgroundAddress, loadSvgCleaner } from './background.ts';
import type { CleanSvg } from './clean-svg.ts';
import { diagramText } from './texts.ts';

/**
 * The background of a drawing. It is cleaned first, and shown as an image, never as markup of the page. The code that cleans it is loaded
 * with the first background. A background that takes too long to draw is not shown, and the drawing says so. The drawing has the colours of
 * a light sheet, in the dark theme, too, unless the picture has a dark ground of its own (diagram.css).
 */
export function BackgroundImage({ svg }: { readonly svg: string }) {
	const clean = useSignal<CleanSvg | null>(null);
	const isDark = useSignal(false);
	useEffect(() => {
		let isShown = true;
		void loadSvgCleaner().then(
			({ shownSvg }) => {
				if (isShown) clean.value = shownSvg(svg);
			},
			// The code cannot be loaded after a new deployment. The values stay, and the page offers to load itself again.
			() => undefined,
		);
		return () => {
			isShown = false;
		};
	}, [svg]);
	if (clean.value === null) return null;
	if (clean.value.fault !== null) return <p role="status">{diagramText().backgroundNotShown}</p>;
	return (
		<img
			class={classNames(isDark.value && 'dark-ground')}
			src={backgroundAddress(clean.value.svg)}
			alt=""
			draggable={false}
			onLoad={(event) => {
				isDark.value = hasDarkGround(event.currentTarget);
			}}
		/>
	);
}

/** The least share of a picture that a ground of its own covers, and the most light of a dark one, from 0 to 1. */
const [groundShare, darkest] = [0.95, 0.4];

/** Whether a picture covers the drawing with a dark ground of its own, by its mean colour. Where a browser tells no colours, it does not. */
function hasDarkGround(picture: HTMLImageElement): boolean {
	const canvas = document.createElement('canvas');
	const context = canvas.getContext('2d');
	context?.drawImage(picture, 0, 0, 1, 1);
	const [red = 0, green = 0, blue = 0, alpha = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
	return alpha > groundShare * 255 && 0.2126 * red + 0.7152 * green + 0.0722 * blue < darkest * 255;
}
