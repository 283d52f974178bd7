/**
 * Acts when the next frame has been painted, unless the function that it returns is called before. A page that nobody
 * sees paints none, and is not waited for.
 */
export function afterFrame(act: () => void): () => void {
  let timer = setTimeout(act, 200);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
