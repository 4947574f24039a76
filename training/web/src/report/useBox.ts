import { useEffect, useRef, useState } from "preact/hooks";

// The width of an element, 0 until it comes near the window or the page is printed: what is far
// below the fold is not drawn. Unless it is eager.
export function useBox<T extends HTMLElement>(eager = false) {
  const box = useRef<T>(null);
  const [width, setWidth] = useState(0);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    const sizes = new ResizeObserver(measure);
    const begin = () => {
      measure();
      sizes.observe(element);
      places.disconnect();
    };
    const places = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && begin(),
      { rootMargin: "100px" },
    );
    if (eager) begin();
    else places.observe(element);
    window.addEventListener("beforeprint", begin);
    return () => {
      places.disconnect();
      sizes.disconnect();
      window.removeEventListener("beforeprint", begin);
    };
  }, []);

  return { box, width };
}
