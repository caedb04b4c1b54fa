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

/** The sides of the picture in which colours are counted, in pixels. */
const sampleSide = 16;

/** The least share of a picture that a ground of its own covers. */
const groundShare = 0.95;

/** A ground that is darker is read with light words, on a scale from black, 0, to white, 1. */
const darkest = 0.4;

/** Whether a picture covers the drawing with a dark ground of its own. Where a browser does not show its pixels, it does not. */
function hasDarkGround(picture: HTMLImageElement): boolean {
	const canvas = document.createElement('canvas');
	canvas.width = sampleSide;
	canvas.height = sampleSide;
	const context = canvas.getContext('2d');
	if (context === null) return false;
	context.drawImage(picture, 0, 0, sampleSide, sampleSide);
	const { data } = context.getImageData(0, 0, sampleSide, sampleSide);
	let [light, covered] = [0, 0];
	for (let at = 0; at < data.length; at += 4) {
		const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
		light += 0.2126 * red + 0.7152 * green + 0.0722 * blue;
		covered += alpha;
	}
	const most = 255 * sampleSide ** 2;
	return covered >= groundShare * most && light < darkest * most;
}
