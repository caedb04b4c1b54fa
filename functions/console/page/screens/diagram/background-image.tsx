import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { backgroundAddress } from './background.ts';

/**
 * The background of a drawing. It is cleaned first, and shown as an image, never as markup of the page. The code that cleans it is loaded
 * with the first background.
 */
export function BackgroundImage({ svg }: { readonly svg: string }) {
	const address = useSignal<string | null>(null);
	useEffect(() => {
		let isShown = true;
		void import('./clean-svg.ts').then(
			({ cleanSvg }) => {
				const clean = cleanSvg(svg);
				if (isShown) address.value = clean === null ? null : backgroundAddress(clean);
			},
			// The code cannot be loaded after a new deployment. The values stay, and the page offers to load itself again.
			() => undefined,
		);
		return () => {
			isShown = false;
		};
	}, [svg]);
	return address.value === null ? null : <img src={address.value} alt="" draggable={false} />;
}
