"""Pictures that are computed: charts, bars, QR codes, and what every sheet of paper has."""
