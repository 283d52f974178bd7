import { useEffect, useRef, useState } from 'react';
import { deskPath, deskUrl } from '../../../ui/desk/desk-url.ts';
import { previewBase } from './preview-path.ts';

type Props = {
  src: string;
  /** The width of the page in pixels; it is made smaller where there is less room. */
  width: number;
  /** A link in the page was followed. */
  onNavigate(path: string): void;
};

/** The next version of a page loads behind the one that is shown and takes its place and scroll position. */
export function PreviewFrame({ src, width, onNavigate }: Props) {
  const [shown, setShown] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const frames = useRef(new Map<string, HTMLIFrameElement>());

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const resize = () => {
      const scale = Math.min(1, element.clientWidth / width);
      element.style.setProperty('--preview-width', `${width}px`);
      element.style.setProperty('--preview-height', `${element.clientHeight / scale}px`);
      element.style.setProperty('--preview-scale', String(scale));
    };
    const observer = new ResizeObserver(resize);
    observer.observe(element);
    resize();
    return () => observer.disconnect();
  }, [width]);

  function finish(url: string, frame: HTMLIFrameElement): void {
    const path = pathOf(frame);
    if (path === undefined) return;
    if (url === shown) {
      onNavigate(path);
      return;
    }
    const before = frames.current.get(shown);
    if (before && pathOf(before) === path)
      frame.contentWindow?.scrollTo(0, before.contentWindow?.scrollY ?? 0);
    setShown(url);
  }

  return (
    <div className="preview-box" ref={box}>
      {[...new Set([shown, src])]
        .filter(url => url)
        .map(url => (
          <iframe
            aria-hidden={url !== shown}
            className="preview-frame"
            data-loading={url !== shown || undefined}
            key={url}
            onLoad={({ currentTarget }) => finish(url, currentTarget)}
            ref={frame => {
              if (frame) frames.current.set(url, frame);
              else frames.current.delete(url);
            }}
            sandbox="allow-same-origin"
            src={deskUrl(url)}
            tabIndex={url === shown ? 0 : -1}
            title="The page with your changes"
          />
        ))}
    </div>
  );
}

function pathOf({ contentWindow }: HTMLIFrameElement): string | undefined {
  const path = deskPath(contentWindow?.location.pathname ?? '');
  return path?.startsWith(previewBase) ? path.slice(previewBase.length) : undefined;
}
