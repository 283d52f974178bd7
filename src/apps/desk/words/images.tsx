import { useEffect, useState } from 'react';
import { maxImageMb } from '../../../lib/image-limits.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { fileInputClass, inputClass } from '../../../ui/desk/field.tsx';
import { ImageDrop, imageTypes } from './image-drop.tsx';
import type { ImageEntry, ImagesProps } from './words-types.ts';

export function Images({ images, logoUrl, fonts, markdown }: ImagesProps) {
  const [added, setAdded] = useState(markdown);
  const [hasScript, setScript] = useState(false);
  useEffect(() => setScript(true), []);
  return (
    <div className="grid max-w-[60rem] gap-10">
      <section aria-labelledby="pictures" className="grid gap-4">
        <h2 className="text-lg" id="pictures">
          Pictures of posts
        </h2>
        {hasScript ? (
          <ImageDrop onAdd={setAdded} />
        ) : (
          <UploadForm
            accept={imageTypes}
            button="Add the picture"
            kind="picture"
            label={`A picture: PNG, JPEG or WebP, up to ${maxImageMb} MB`}
          />
        )}
        {added ? (
          <label className="grid gap-1 text-sm font-semibold">
            Paste this line into a post, as a paragraph of its own:
            <input
              className={`${inputClass} font-mono`}
              onFocus={event => event.target.select()}
              readOnly
              value={added}
            />
          </label>
        ) : null}
        {images.length === 0 && !added ? <p className="text-muted">No post has a picture yet.</p> : null}
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {images.map(image => (
            <Picture key={image.file} {...image} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="logo" className="grid gap-4">
        <h2 className="text-lg" id="logo">
          Logo
        </h2>
        <div className="flex flex-wrap items-center gap-5">
          <img
            alt="The logo"
            className="h-20 w-20 rounded-field border border-hairline bg-high p-3"
            src={deskUrl(logoUrl)}
          />
          <UploadForm
            accept=".svg,image/svg+xml"
            button="Replace the logo"
            kind="logo"
            label="One drawing in one colour, as plain SVG"
          />
        </div>
      </section>
      <section aria-labelledby="fonts" className="grid gap-4">
        <h2 className="text-lg" id="fonts">
          Fonts
        </h2>
        <ul className="text-sm text-muted">
          {fonts.map(font => (
            <li key={font}>{font}</li>
          ))}
        </ul>
        <UploadForm
          accept=".woff2,font/woff2"
          button="Add the font"
          kind="font"
          label="A font in the WOFF2 format"
        />
      </section>
    </div>
  );
}

function Picture({ file, url, width, height, size, usedIn }: ImageEntry) {
  const name = file.slice('blog/'.length);
  return (
    <li className="grid content-start gap-2 rounded-field border border-hairline bg-high p-3">
      <img
        alt=""
        className="h-36 w-full rounded-field bg-raised object-contain"
        loading="lazy"
        src={deskUrl(url)}
      />
      <p className="text-sm font-semibold break-all">{name}</p>
      <p className="text-sm text-muted">
        {width} × {height}, {size}
        {usedIn.length > 0 ? `. In ${usedIn.join(', ')}` : '. In no post'}
      </p>
      {usedIn.length === 0 ? (
        <form action={deskUrl('/words/images/delete')} method="post">
          <input name="file" type="hidden" value={file} />
          <button aria-label={`Delete ${name}`} className={buttonClass.quiet} type="submit">
            Delete
          </button>
        </form>
      ) : null}
    </li>
  );
}

type UploadProps = { kind: string; accept: string; label: string; button: string };

function UploadForm({ kind, accept, label, button }: UploadProps) {
  return (
    <form
      action={deskUrl('/words/images')}
      className="grid gap-2"
      encType="multipart/form-data"
      method="post"
    >
      <input name="kind" type="hidden" value={kind} />
      <label className="text-sm" htmlFor={`upload-${kind}`}>
        {label}
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <input
          accept={accept}
          className={fileInputClass}
          id={`upload-${kind}`}
          name="upload"
          required
          type="file"
        />
        <button className={buttonClass.quiet} type="submit">
          {button}
        </button>
      </div>
    </form>
  );
}
