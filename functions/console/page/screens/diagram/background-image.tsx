import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { backgroundAddress, loadSvgCleaner } from './background.ts';
import type { CleanSvg } from './clean-svg.ts';
import { diagramText } from './texts.ts';

/**
 * The background of a drawing. It is cleaned first, and shown as an image, never as markup of the page. The code that cleans it is loaded
 * with the first background. A background that takes too long to draw is not shown, and the drawing says so.
 */
export function BackgroundImage({ svg }: { readonly svg: string }) {
	const clean = useSignal<CleanSvg | null>(null);
	useEffect(() => {
		let isShown = true;
		void loadSvgCleaner().then(
			({ cleanSvg }) => {
				if (isShown) clean.value = cleanSvg(svg);
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
	return <img src={backgroundAddress(clean.value.svg)} alt="" draggable={false} />;
}
