import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { backgroundAddress } from './background.ts';

/** The background of a drawing as an image, never as markup of the page. It is cleaned first; what cleans it is loaded with the first one. */
export function BackgroundImage({ svg }: { readonly svg: string }) {
	const address = useSignal<string | null>(null);
	useEffect(() => {
		let isShown = true;
		void import('./clean-svg.ts').then(
			({ cleanSvg }) => {
				const clean = cleanSvg(svg);
				if (isShown) address.value = clean === null ? null : backgroundAddress(clean);
			},
			// A file of an older deployment is gone: the page offers to be loaded again, and the values stay.
			() => undefined,
		);
		return () => {
			isShown = false;
		};
	}, [svg]);
	return address.value === null ? null : <img src={address.value} alt="" draggable={false} />;
}
