/**
 * A font that comes after the first paint is shown nowhere in its document, so that no word moves. Another page moves them
 * all anyway: it begins with the fonts that have come meanwhile. What this returns is called as it does.
 */
export function collectLateFonts(): () => void {
  let faces: FontFace[] = [];
  const [paint] = performance.getEntriesByType('paint');
  if (paint) {
    document.fonts.ready
      .then(() => loadAgain(cameAfter(paint.startTime)))
      .then(
        loaded => {
          faces = loaded;
        },
        // Without the font, as before.
        () => undefined,
      );
  }
  return () => {
    for (const face of faces.splice(0)) document.fonts.add(face);
  };
}

/** The rules whose file came later than that. */
function cameAfter(time: number): CSSStyleDeclaration[] {
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const late = files
    .filter(({ responseEnd }) => responseEnd > time)
    .map(({ name }) => new URL(name).pathname);
  const rules = Array.from(document.querySelector('style')?.sheet?.cssRules ?? []);
  return rules
    .filter(rule => rule instanceof CSSFontFaceRule)
    .map(({ style }) => style)
    .filter(style => late.some(path => style.getPropertyValue('src').includes(path)));
}

/** From the cache: the file is here. */
function loadAgain(rules: CSSStyleDeclaration[]): Promise<FontFace[]> {
  const faces = rules.map(style => {
    const value = (name: string) => style.getPropertyValue(name);
    return new FontFace(value('font-family').replaceAll('"', ''), value('src'), {
      weight: value('font-weight'),
      ...(value('unicode-range') && { unicodeRange: value('unicode-range') }),
    });
  });
  return Promise.all(faces.map(face => face.load()));
}
