// Before the first paint: the colours that were chosen here, so that nobody is dazzled by the others.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('dashboard-color-scheme');
  } catch {
    // a browser that keeps nothing follows the system
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
